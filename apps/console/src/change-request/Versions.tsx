/** The versions of something in a conflict: before both edits, main's, and that of the change request. */
import { text } from "../language/Language.ts"
import { blockText } from "./BlockText.ts"

interface VersionsProps {
  readonly base: unknown
  readonly main: unknown
  readonly ours: unknown
}

export const Versions = (versions: VersionsProps) => (
  <dl className="versions">
    {(["base", "main", "ours"] as const).map((side) => {
      const value = blockText(versions[side])
      return (
        <div key={side}>
          <dt>{text(`conflict.side.${side}`)}</dt>
          <dd dir="auto">
            {value === undefined ? <em>{text("conflict.deleted")}</em> : value || <em>{text("conflict.noText")}</em>}
          </dd>
        </div>
      )
    })}
  </dl>
)
