/** Imports that the build resolves: a compressed file as Base64, and a script for browsers. */
declare module "*?gzip" {
  const base64: string
  export default base64
}

declare module "*?page" {
  const script: string
  export default script
}
