/** Fragment of the URL of the home screen that opens the dialog for a new space. */
export const newSpaceHash = "new-space"
