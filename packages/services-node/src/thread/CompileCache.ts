/** Keeps what is compiled for the next thread that loads it, in a folder of Node's. Deno, for one, has nothing of the kind. */
import nodeModule from "node:module"

export const keepCompiled = (): void => void nodeModule.enableCompileCache?.()
