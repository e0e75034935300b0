/**
 * Stores compiled code on disk for the next thread that loads it, if the runtime supports this. Deno, for example, does
 * not.
 */
import nodeModule from "node:module"

export const enableCompileCache = (): void => void nodeModule.enableCompileCache?.()
