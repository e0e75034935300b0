/** A folder for import tests: a table of contents with errors, links, images, and various files next to pages. */
export const png = new Uint8Array([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 3, 0, 0, 0, 2
])

const summary = `# Table of contents

* [Home](README.md)
* [Start](start/README.md)
  * [Install it](start/Install.md)
* [Missing](missing.md)
* [Home again](README.md)
* [The web](https://example.com)

## Guides

* [First](guides/first.md)
`

export const folder = {
  "SUMMARY.md": summary,
  "README.md":
    "# Home\n\nSee [installing](start/Install.md#now) and [the first](guides/first).\n\n![logo](images/logo.png)\n",
  "start/README.md":
    "---\nicon: rocket\ndescription: How to start\n---\n\n# Starting\n\n[broken](nowhere.md) [up](../README.md)\n",
  "start/Install.md":
    "# Install it\n\nFirst paragraph.\n\nSecond paragraph.\n\n[file](/images/logo.png) [enc](../guides/with%20space.md)\n",
  "guides/first.md": "Text without a heading.\n",
  "guides/with space.md": "Not in the summary.\n",
  "images/logo.png": png,
  "images/unused.png": png.slice(0, 20),
  ".gitbook/assets/kept.bin": new Uint8Array([1, 2, 3]),
  ".gitbook/vars.yaml": "product: Lectern\nversion: 2\nbad: [1]\n",
  ".gitbook/includes/note.md": "---\ntitle: Note\n---\n\nReused.\n"
}
