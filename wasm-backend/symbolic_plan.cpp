#include "symbolic_plan.h"

#include "plan/arena.h"

namespace fx2wasm::wasm {
namespace {

constexpr uint32_t kWordAlignment = 2;  // log2
constexpr int kPageBits = 16;
// A factor or a product above this is larger than any memory; below it, one more multiplication by
// such a factor stays within int64.
constexpr int64_t kLargestProduct = int64_t{1} << 31;

uint32_t word_offset(size_t word) { return static_cast<uint32_t>(4 * word); }

class PlanWriter {
 public:
  PlanWriter(const Program& program, const SizeTable& table, MathFunctions& math,
             const LowerOptions& options)
      : program_(program),
        table_(table),
        code_("plan",
              FuncType{std::vector<ValType>(program.symbols.size(), ValType::I32), {ValType::I32}}),
        emitter_(code_, math, options) {
    total_ = code_.add_local(ValType::I64);
    unit_ = code_.add_local(ValType::I64);
    factor_ = code_.add_local(ValType::I64);
    pages_ = code_.add_local(ValType::I32);
  }

  Function write(uint64_t begin) {
    write_symbols();
    code_.i64(static_cast<int64_t>(begin));
    code_.set(total_);
    for (size_t group = 0; group < table_.groups.size(); ++group) write_group(group);
    for (size_t i = 0; i < program_.regions.size(); ++i) write_extents(i);
    write_growth();
    code_.get(total_);
    code_.op(Op::I32WrapI64);
    return code_.finish();
  }

 private:
  // [condition] → []: gives up when it holds.
  void fail_if() {
    code_.if_();
    code_.i32(0);
    code_.op(Op::Return);
    code_.end();
  }

  // The address of the table, to which a store adds the word's offset.
  void push_table() { code_.i32(static_cast<int32_t>(static_cast<uint32_t>(table_.offset))); }

  void write_symbols() {
    for (size_t i = 0; i < program_.symbols.size(); ++i) {
      const auto local = static_cast<uint32_t>(i);
      code_.get(local);
      code_.i32(0);
      code_.op(Op::I32LtS);
      fail_if();
      push_table();
      code_.get(local);
      code_.memory(Op::I32Store, kWordAlignment, word_offset(i));
      emitter_.vars[program_.symbols[i].var.get()] = local;
      emitter_.bounds.bind(program_.symbols[i].var, {0, INT32_MAX});
    }
  }

  void write_group(size_t number) {
    const SizeGroup& group = table_.groups[number];
    code_.i64(static_cast<int64_t>(group.bytes));
    code_.set(unit_);
    for (const tir::PrimExpr& factor : group.factors) {
      emitter_.emit_as(factor, ValType::I64);
      code_.tee(factor_);
      code_.i64(kLargestProduct);
      code_.op(Op::I64GtU);  // a negative one is large, too
      fail_if();
      code_.get(unit_);
      code_.get(factor_);
      code_.op(Op::I64Mul);
      code_.tee(unit_);
      code_.i64(kLargestProduct);
      code_.op(Op::I64GtU);
      fail_if();
    }
    if (group.rounded) {
      const auto alignment = static_cast<int64_t>(kTensorAlignment);
      code_.get(unit_);
      code_.i64(alignment - 1);
      code_.op(Op::I64Add);
      code_.i64(-alignment);
      code_.op(Op::I64And);
      code_.set(unit_);
    }
    for (size_t item = 0; item < table_.items.size(); ++item) {
      if (table_.items[item].group != number) continue;
      push_table();
      push_place(table_.items[item].units);
      code_.op(Op::I32WrapI64);
      code_.memory(Op::I32Store, kWordAlignment, word_offset(table_.word_of_item(item, program_)));
    }
    push_place(group.units);
    code_.tee(total_);
    code_.i64(static_cast<int64_t>(kLargestMemory));
    code_.op(Op::I64GtU);
    fail_if();
  }

  // total + units · unit
  void push_place(uint64_t units) {
    code_.get(total_);
    code_.get(unit_);
    code_.i64(static_cast<int64_t>(units));
    code_.op(Op::I64Mul);
    code_.op(Op::I64Add);
  }

  void write_extents(size_t index) {
    if (!table_.extents[index]) return;
    const Region& region = program_.regions[index];
    for (size_t axis = 0; axis < region.extents.size(); ++axis) {
      push_table();
      emitter_.emit_as(region.extents[axis], ValType::I64);
      code_.op(Op::I32WrapI64);
      code_.memory(Op::I32Store, kWordAlignment, word_offset(*table_.extents[index] + axis));
    }
  }

  void write_growth() {
    code_.get(total_);
    code_.i64((int64_t{1} << kPageBits) - 1);
    code_.op(Op::I64Add);
    code_.i64(kPageBits);
    code_.op(Op::I64ShrU);
    code_.op(Op::I32WrapI64);
    code_.tee(pages_);
    code_.memory_size();
    code_.op(Op::I32GtU);
    code_.if_();
    code_.get(pages_);
    code_.memory_size();
    code_.op(Op::I32Sub);
    code_.memory_grow();
    code_.i32(-1);
    code_.op(Op::I32Eq);
    fail_if();
    code_.end();
  }

  const Program& program_;
  const SizeTable& table_;
  Code code_;
  Emitter emitter_;
  uint32_t total_ = 0, unit_ = 0, factor_ = 0, pages_ = 0;
};

}  // namespace

Function write_symbolic_plan(const Program& program, const SizeTable& table, uint64_t begin,
                             MathFunctions& math, const LowerOptions& options) {
  return PlanWriter(program, table, math, options).write(begin);
}

void load_symbols(Emitter& emitter, const Program& program, const SizeTable& table) {
  for (size_t i = 0; i < program.symbols.size(); ++i) {
    emitter.code.i32(static_cast<int32_t>(static_cast<uint32_t>(table.offset)));
    emitter.code.memory(Op::I32Load, kWordAlignment, word_offset(i));
    emitter.code.set(emitter.define(program.symbols[i].var, {0, INT32_MAX}));
  }
}

void push_item_address(Code& code, const Program& program, const SizeTable& table, size_t item) {
  code.i32(static_cast<int32_t>(static_cast<uint32_t>(table.offset)));
  code.memory(Op::I32Load, kWordAlignment, word_offset(table.word_of_item(item, program)));
}

}  // namespace fx2wasm::wasm
