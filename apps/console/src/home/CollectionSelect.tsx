/** Choice of the collection that something is in. An empty value stands for the top level. */
import type { Collection } from "../api/Resources.ts"
import { text } from "../language/Language.ts"

interface CollectionSelectProps {
  readonly collections: ReadonlyArray<Collection>
  readonly value: string
  readonly onChange: (collection: string) => void
  /** Collection that can't be chosen, with all in it. Default: none. */
  readonly except?: string
}

interface Choice {
  readonly id: string
  readonly label: string
}

/** Returns the collections below a parent with the titles of all above them, in the order of the tree. */
const choicesBelow = (
  collections: ReadonlyArray<Collection>,
  parent: string | undefined,
  above: ReadonlyArray<string>,
  except: string | undefined
): ReadonlyArray<Choice> =>
  collections
    .filter((collection) => collection.parent === parent && collection.id !== except)
    .flatMap(({ id, permissions, title }) => {
      const path = [...above, title]
      return [
        ...(permissions.create ? [{ id, label: path.join(" › ") }] : []),
        ...choicesBelow(collections, id, path, except)
      ]
    })

export const CollectionSelect = ({ collections, value, onChange, except }: CollectionSelectProps) => (
  <label className="field">
    <span className="field-label">{text("collection.parent")}</span>
    <select className="select" value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{text("collection.top")}</option>
      {choicesBelow(collections, undefined, [], except).map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  </label>
)
