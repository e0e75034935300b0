/**
 * Loads Takumi, which lays out and renders pictures. It is WebAssembly, equal on all platforms and without access to
 * the system.
 *
 * Limits: 256 MiB of memory. A picture that needs more fails, and Takumi is unusable afterwards.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type * as Takumi from "@takumi-rs/wasm"
import { withMemory } from "./WasmMemory.ts"

const require = createRequire(import.meta.url)

const maxMemory = 256 * 1024 * 1024

let cachedModule: typeof Takumi | undefined

export const loadTakumi = (): typeof Takumi => {
  if (cachedModule !== undefined) return cachedModule
  const takumi = require("@takumi-rs/wasm") as typeof Takumi
  const module = withMemory(readFileSync(require.resolve("@takumi-rs/wasm/takumi_wasm_bg.wasm")), maxMemory)
  takumi.initSync({ module: module as Uint8Array<ArrayBuffer> })
  return (cachedModule = takumi)
}
