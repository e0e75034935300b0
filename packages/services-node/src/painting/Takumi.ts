/**
 * Takumi, which lays out and draws pictures. It is WebAssembly, the same on all platforms, and reaches nothing outside.
 *
 * Limits: 256 MiB of memory. A drawing that takes more fails, and Takumi is of no use after that.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type * as Takumi from "@takumi-rs/wasm"
import { withMemory } from "./WasmMemory.ts"

const require = createRequire(import.meta.url)

const maxMemory = 256 * 1024 * 1024

let loaded: typeof Takumi | undefined

export const loadTakumi = (): typeof Takumi => {
  if (loaded !== undefined) return loaded
  const takumi = require("@takumi-rs/wasm") as typeof Takumi
  const module = withMemory(readFileSync(require.resolve("@takumi-rs/wasm/takumi_wasm_bg.wasm")), maxMemory)
  takumi.initSync({ module: module as Uint8Array<ArrayBuffer> })
  return (loaded = takumi)
}
