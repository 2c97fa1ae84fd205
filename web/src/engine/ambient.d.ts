// Modules that TypeScript cannot see into: what the build makes, and what the Vite plugins provide.

declare module '*/fx2wasm_core.mjs' {
  interface Options {
    instantiateWasm: (
      imports: WebAssembly.Imports,
      use: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) => object;
    print: (text: string) => void;
    printErr: (text: string) => void;
    onAbort: (reason: unknown) => void;
  }
  const create: (options: Options) => Promise<import('./core-types').CoreModule>;
  export default create;
}

declare module 'virtual:fx2wasm-examples' {
  export const catalogue: import('./catalogue').Catalogue;
  export const firstGraph: string; // the text of the first example's graph
}

declare module 'virtual:fx2wasm-programs' {
  export const programs: { name: string; text: string }[];
}
