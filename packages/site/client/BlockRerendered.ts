/** Event of an integration's block that was rendered again. Scripts that modify pages modify the block again. */
export const blockRerendered = "lectern-drawn-again"
