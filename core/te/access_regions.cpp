#include "te/access_regions.h"

#include <algorithm>
#include <utility>

#include "arith/interval_set.h"
#include "ir/match.h"
#include "ir/tir_build.h"
#include "ir/tir_visit.h"

namespace fx2wasm::te {
namespace {

using arith::Interval;
using tir::PrimExpr;

struct Access {
  tir::Buffer buffer;
  std::vector<Interval> region;
};

class Detector {
 public:
  void visit(const tir::Stmt& stmt) {
    match(
        stmt->kind,
        [&](const tir::BufferStore& store) {
          add(writes_, {store.buffer, point_region(store.indices)});
          visit(store.value);
          for (const PrimExpr& index : store.indices) visit(index);
        },
        [&](const tir::For& loop) {
          visit(loop.min);
          visit(loop.extent);
          domains_.emplace_back(loop.loop_var, arith::interval_of({loop.min, loop.extent}));
          visit(loop.body);
          domains_.pop_back();
        },
        [&](const tir::While& loop) {
          visit(loop.condition);
          visit(loop.body);
        },
        [&](const tir::IfThenElse& branch) {
          visit(branch.condition);
          visit(branch.then_case);
          if (branch.else_case) visit(branch.else_case);
        },
        [&](const tir::LetStmt& let) {
          visit(let.value);
          lets_.emplace_back(let.var, let.value);
          visit(let.body);
          lets_.pop_back();
        },
        [&](const tir::AttrStmt& attr) { visit(attr.body); },
        [&](const tir::AllocStmt& alloc) { visit(alloc.body); },
        [&](const tir::SeqStmt& seq) {
          for (const tir::Stmt& part : seq.seq) visit(part);
        },
        [&](const tir::Evaluate& evaluate) { visit(evaluate.value); },
        [&](const tir::SBlockRealize& realize) { visit_block(realize); });
  }

  std::vector<Access> reads_, writes_;

 private:
  void visit(const PrimExpr& expr) {
    if (const auto* load = std::get_if<tir::BufferLoad>(&expr->kind)) {
      add(reads_, {load->buffer, point_region(load->indices)});
    }
    for (const PrimExpr& child : tir::children(expr)) visit(child);
  }

  void visit_block(const tir::SBlockRealize& realize) {
    tir::VarMap values;
    for (size_t i = 0; i < realize.iter_values.size(); ++i) {
      values.emplace_back(realize.block->iter_vars[i].var, realize.iter_values[i]);
    }
    const auto relaxed = [&](const tir::BufferRegion& access) {
      std::vector<Interval> region;
      for (const tir::Range& range : access.region) {
        const Interval interval = arith::interval_of(
            {tir::substitute(range.min, values), tir::substitute(range.extent, values)});
        region.push_back({relax(interval.min).min, relax(interval.max).max});
      }
      return Access{access.buffer, std::move(region)};
    };
    for (const tir::BufferRegion& read : realize.block->reads) add(reads_, relaxed(read));
    for (const tir::BufferRegion& write : realize.block->writes) add(writes_, relaxed(write));
  }

  Interval relax(const PrimExpr& expr) { return arith::eval_interval(analyzer_, expr, domains_); }

  std::vector<Interval> point_region(const std::vector<PrimExpr>& indices) {
    std::vector<Interval> region;
    for (PrimExpr index : indices) {
      for (auto let = lets_.rbegin(); let != lets_.rend(); ++let) {
        index = tir::substitute(index, {*let});
      }
      const Interval interval = relax(index);
      region.push_back(interval);
    }
    return region;
  }

  static void add(std::vector<Access>& accesses, Access access) {
    const auto same = [&](const Access& known) { return known.buffer == access.buffer; };
    const auto known = std::find_if(accesses.begin(), accesses.end(), same);
    if (known == accesses.end()) {
      accesses.push_back(std::move(access));
      return;
    }
    for (size_t i = 0; i < access.region.size(); ++i) {
      known->region[i] = arith::hull(known->region[i], access.region[i]);
    }
  }

  arith::Analyzer analyzer_;
  arith::Domains domains_;
  tir::VarMap lets_;
};

tir::BufferRegion finished(const Access& access) {
  arith::Analyzer analyzer;
  tir::BufferRegion result{access.buffer, {}};
  for (size_t i = 0; i < access.region.size(); ++i) {
    const Interval& interval = access.region[i];
    const bool is_point =
        interval.is_point() ||
        (interval.min && interval.max && analyzer.can_prove_equal(interval.min, interval.max));
    if (is_point) {
      result.region.push_back({interval.min, tir::int_imm(interval.min->dtype, 1)});
    } else {
      const PrimExpr& extent = access.buffer->shape[i];
      result.region.push_back(
          arith::cover_range(interval, {tir::int_imm(DType::Int32, 0), extent}));
    }
  }
  return result;
}

}  // namespace

AccessRegions access_regions(const tir::SBlock& block) {
  Detector detector;
  if (block.init) detector.visit(block.init);
  detector.visit(block.body);
  AccessRegions regions;
  for (const Access& access : detector.writes_) regions.writes.push_back(finished(access));
  for (const Access& access : detector.reads_) {
    const auto is_result = [&](const tir::BufferRegion& write) {
      return write.buffer == access.buffer;
    };
    const bool own =
        block.init && std::any_of(regions.writes.begin(), regions.writes.end(), is_result);
    if (!own) regions.reads.push_back(finished(access));
  }
  return regions;
}

}  // namespace fx2wasm::te
