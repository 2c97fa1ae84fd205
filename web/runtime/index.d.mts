// The loader of modules that fx2wasm compiled (docs/abi.md).

export type DType =
  | 'bool' | 'int8' | 'int16' | 'int32' | 'int64'
  | 'uint8' | 'uint16' | 'uint32' | 'uint64'
  | 'float16' | 'bfloat16' | 'float32' | 'float64';

// The elements as they lie in memory: bool as bytes of 0 and 1, float16 and bfloat16 as their bits.
export type TensorArray =
  | Uint8Array | Int8Array | Int16Array | Uint16Array | Int32Array | Uint32Array
  | BigInt64Array | BigUint64Array | Float32Array | Float64Array;

export interface TensorInfo {
  key: string; // in safetensors files: "input.0"
  name: string; // in the graph
  dtype: DType;
  shape: number[]; // of a module with symbols: empty until plan() knows it
  offset: number; // in bytes, in the module's memory
  bytes: number;
  // Of a symbolic shape only: its extents as the compiler wrote them, and where the table has them.
  symbolicShape?: (number | string)[];
  addressWord?: number;
  extentWord?: number;
}

// A size that each run may choose: the extent of an input along an axis.
export interface SizeSymbol {
  name: string;
  input: number;
  axis: number;
}

export interface IntermediateInfo extends TensorInfo {
  fxNodes: number[];
}

export interface FunctionInfo {
  name: string;
  fxNodes: number[]; // numbers of the FX nodes that it computes
  library: string | null; // "fx2wasm.dense" when it is a library kernel
}

export interface WeightInfo {
  name: string;
  dtype: DType;
  shape: number[];
  offset: number;
  bytes: number;
}

export interface ModuleInfo {
  abi: number;
  simd: 'relaxed' | 'simd128' | 'off';
  symbols: SizeSymbol[]; // empty when all shapes are numbers
  tableOffset?: number;
  inputs: TensorInfo[];
  outputs: TensorInfo[];
  intermediates: IntermediateInfo[];
  functions: FunctionInfo[];
  weightsInside: boolean;
  weights: WeightInfo[];
  needsLibrary: boolean;
  memory: { weightBytes: number; arenaOffset: number; arenaBytes: number; totalBytes: number };
}

export interface LoadOptions {
  library?: BufferSource | WebAssembly.Module; // library.wasm, for modules that need it
  weights?: Uint8Array; // a safetensors file, for modules without weights inside
}

export interface Model extends ModuleInfo {
  // Sizes of a module with symbols, from the shapes of its inputs; to be called before run and
  // again when they change. Sets shape, offset and bytes of inputs, outputs and intermediates;
  // earlier views are no longer valid. Throws Fx2wasmError when the shapes contradict each other
  // or the module. Of a module without symbols it only checks the shapes.
  plan(shapes: number[][]): void;
  // Copies the inputs in (in the order of `inputs`), runs main, and gives copies of the outputs.
  run(inputs: TensorArray[]): TensorArray[];
  // The same without copying: fill inputView(i), call runInPlace(), read outputView(i). Views stay
  // valid as long as the model; outputs until the next run.
  runInPlace(): void;
  inputView(index: number): TensorArray;
  outputView(index: number): TensorArray;
  // Of modules compiled with --keep-intermediates: a tensor of the last run, by its name.
  intermediateView(name: string): TensorArray;
  readonly wasmMemory: WebAssembly.Memory;
}

export declare const ABI_VERSIONS: readonly number[]; // that this loader knows

// What is wrong with the module, its companions or the inputs.
export declare class Fx2wasmError extends Error {}

// The best variant that this engine validates.
export declare function detectSimd(): 'relaxed' | 'simd128' | 'off';

// What a module says of itself; throws Fx2wasmError when it is none of ours or of another ABI.
export declare function readInfo(module: WebAssembly.Module): ModuleInfo;

// Compiles, instantiates and initialises a module.
export declare function load(
  bytes: BufferSource | WebAssembly.Module, options?: LoadOptions): Promise<Model>;

// A typed array for a dtype.
export declare function arrayOf(
  dtype: DType, buffer: ArrayBufferLike, offset?: number, length?: number): TensorArray;
export declare function elementCount(shape: number[]): number;
