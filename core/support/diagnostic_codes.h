// The stable codes of all diagnostics, one range per stage. A code never changes its meaning; a
// removed one is never used again.
#pragma once

#include <string_view>

namespace fx2wasm::codes {

// FX1xxx: reading the text (JSON syntax and limits).
inline constexpr std::string_view kJsonSyntax = "FX1001";
inline constexpr std::string_view kJsonDuplicateKey = "FX1002";
inline constexpr std::string_view kJsonNumberRange = "FX1003";
inline constexpr std::string_view kJsonNesting = "FX1004";
inline constexpr std::string_view kInputTooLarge = "FX1005";
inline constexpr std::string_view kNotFxJson = "FX1006";

// FX2xxx: the fields of FX graph JSON (schema).
inline constexpr std::string_view kSchemaVersion = "FX2001";
inline constexpr std::string_view kSchemaMissingField = "FX2002";
inline constexpr std::string_view kSchemaFieldType = "FX2003";
inline constexpr std::string_view kSchemaUnknownOpcode = "FX2004";
inline constexpr std::string_view kSchemaDtype = "FX2005";
inline constexpr std::string_view kSchemaDimension = "FX2006";
inline constexpr std::string_view kSchemaArgument = "FX2007";
inline constexpr std::string_view kSchemaUnknownField = "FX2008";

// FX3xxx: the graph as a whole, its modules and tensors.
inline constexpr std::string_view kGraphDuplicateName = "FX3001";
inline constexpr std::string_view kGraphUnknownNode = "FX3002";
inline constexpr std::string_view kGraphOrder = "FX3003";
inline constexpr std::string_view kGraphOutput = "FX3004";
inline constexpr std::string_view kGraphModuleMissing = "FX3005";
inline constexpr std::string_view kGraphTensorMissing = "FX3006";
inline constexpr std::string_view kGraphTensorData = "FX3007";
inline constexpr std::string_view kGraphNoMeta = "FX3008";
inline constexpr std::string_view kWeightsFile = "FX3009";
inline constexpr std::string_view kWeightsMissing = "FX3010";

// FX4xxx: translation.
inline constexpr std::string_view kUnsupportedOperator = "FX4001";
inline constexpr std::string_view kShapeMismatch = "FX4002";
inline constexpr std::string_view kArgument = "FX4003";
inline constexpr std::string_view kModuleAttribute = "FX4004";
inline constexpr std::string_view kDtypeMismatch = "FX4005";
inline constexpr std::string_view kMetaDisagrees = "FX4006";

// FX5xxx: the small Python, and the misuse of te, relax and the BlockBuilder.
inline constexpr std::string_view kScriptSyntax = "FX5001";
inline constexpr std::string_view kScriptName = "FX5002";
inline constexpr std::string_view kScriptType = "FX5003";
inline constexpr std::string_view kScriptValue = "FX5004";
inline constexpr std::string_view kScriptStepLimit = "FX5005";
inline constexpr std::string_view kBuilderMisuse = "FX5006";
inline constexpr std::string_view kScriptNoResult = "FX5007";
inline constexpr std::string_view kTensorExpression = "FX5008";

// FX6xxx: well-formedness of an IRModule (ir/well_formed.h numbers the rules: FX6001, FX6002, …).
inline constexpr std::string_view kWellFormedPrefix = "FX6";

// FX7xxx: running: the interpreter, its inputs, the Wasm backend's limits.
inline constexpr std::string_view kRunInputs = "FX7001";
inline constexpr std::string_view kRunUnsupported = "FX7002";
inline constexpr std::string_view kCompileUnsupported = "FX7003";
inline constexpr std::string_view kFileAccess = "FX7004";
inline constexpr std::string_view kUsage = "FX7005";

// FX8xxx: reading TVMScript.
inline constexpr std::string_view kTextSyntax = "FX8001";
inline constexpr std::string_view kTextName = "FX8002";
inline constexpr std::string_view kTextType = "FX8003";
inline constexpr std::string_view kTextArgument = "FX8004";
inline constexpr std::string_view kTextLimit = "FX8005";
inline constexpr std::string_view kTextStructure = "FX8006";
inline constexpr std::string_view kTextConstant = "FX8007";

}  // namespace fx2wasm::codes
