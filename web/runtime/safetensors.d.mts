// safetensors files: an 8-byte little-endian header length, a JSON header, then the raw data.
import type { DType, TensorArray } from './index.d.mts';

export interface StoredTensor {
  dtype: DType;
  shape: number[];
  data: TensorArray;
}

// All tensors, in the order of the header. Throws an Error that says what is wrong.
export declare function readSafetensors(file: Uint8Array): Map<string, StoredTensor>;
export declare function writeSafetensors(tensors: Map<string, StoredTensor>): Uint8Array;
