/**
 * Flags of V8 for a server: the binary contains them, and `pnpm start` passes them. The young space stays below 48 MiB,
 * and the old space grows by at most 40 % before a collection. By default V8 lets the heap grow to several times its live
 * size.
 */
export const v8Flags: ReadonlyArray<string> = ["--max-semi-space-size=16", "--heap-growing-percent=40"]
