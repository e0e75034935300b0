/** Messages that the server provides for scripts. */
export const { copy = "", copied = "", close = "" } = document.body.dataset
