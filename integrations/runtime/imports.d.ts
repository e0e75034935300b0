/** Texts that the build puts in: a file as Base64 of its compressed bytes, and a program for a browser. */
declare module "*?gzip" {
  const base64: string
  export default base64
}

declare module "*?page" {
  const script: string
  export default script
}
