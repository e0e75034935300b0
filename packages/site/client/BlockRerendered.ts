/**
 * Event that an integration's block dispatches after a new rendering. Scripts that modify pages then modify the block.
 */
export const blockRerendered = "lectern-drawn-again"
