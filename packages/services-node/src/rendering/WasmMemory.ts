/**
 * Limits the memory of WebAssembly. The limits of a thread apply only to JavaScript, and a module without a limit may
 * use 4 GiB.
 */

const headerLength = 8
const memorySection = 5
const pageBytes = 64 * 1024
/** Flag of a memory without a maximum. `limited` is the flag of one with a maximum. */
const unlimited = 0
const limited = 1

/** Adds a maximum to the memory of a module. Fails if the module has no memory, several, or one with a maximum. */
export const withMemory = (module: Uint8Array, maxBytes: number): Uint8Array => {
  for (let offset = headerLength; offset < module.length;) {
    const size = readNumber(module, offset + 1)
    if (module[offset] === memorySection) {
      const count = readNumber(module, size.end)
      if (count.value !== 1 || module[count.end] !== unlimited) break
      const minPages = readNumber(module, count.end + 1)
      const content = [1, limited, ...number(minPages.value), ...number(Math.floor(maxBytes / pageBytes))]
      return Buffer.concat([
        module.subarray(0, offset),
        Uint8Array.of(memorySection, ...number(content.length), ...content),
        module.subarray(size.end + size.value)
      ])
    }
    offset = size.end + size.value
  }
  throw new Error("Its memory can't be limited")
}

/** Reads an unsigned LEB128 number: seven bits per byte, the lowest first. */
const readNumber = (bytes: Uint8Array, from: number): { readonly value: number; readonly end: number } => {
  let value = 0
  for (let offset = from, shift = 0; shift < 35; offset++, shift += 7) {
    value += (bytes[offset]! & 0x7f) * 2 ** shift
    if (bytes[offset]! < 0x80) return { value, end: offset + 1 }
  }
  throw new Error("Not a number of WebAssembly")
}

const number = (value: number): ReadonlyArray<number> =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)]
