/** Words that the server says for the script. */
export const { copy = "", copied = "", close = "" } = document.body.dataset
