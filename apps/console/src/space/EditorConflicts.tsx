/** Conflicts with edits of others that were merged into the open text. The text has the version that was written here. */
import type { Resolution } from "@lectern/document/merge/BlockConflict"
import type { OpenConflict } from "@lectern/editor/saving/Journal"
import { Button } from "react-aria-components"
import { Versions } from "../change-request/Versions.tsx"
import { countedText, text } from "../language/Language.ts"

interface EditorConflictsProps {
  readonly conflicts: ReadonlyArray<OpenConflict>
  readonly onResolve: (conflict: OpenConflict, resolution: Resolution) => void
}

export const EditorConflicts = ({ conflicts, onResolve }: EditorConflictsProps) => (
  <section className="conflicts" aria-labelledby="editor-conflicts">
    <h2 id="editor-conflicts" role="alert">
      {countedText("conflict.inEditor", conflicts.length)}
    </h2>
    <p>{text("conflict.inEditorText")}</p>
    {conflicts.map((open) => (
      <div className="conflict" key={open.id}>
        <Versions base={open.conflict.base} main={open.conflict.main} ours={open.conflict.ours} />
        <div className="buttons">
          <Button className="control" onPress={() => onResolve(open, "ours")}>
            {text("conflict.keep.ours")}
          </Button>
          <Button className="control" onPress={() => onResolve(open, "main")}>
            {text("conflict.keep.main")}
          </Button>
          {open.conflict.row === undefined && open.conflict.column === undefined && (
            <Button className="control" onPress={() => onResolve(open, "both")}>
              {text("conflict.keep.both")}
            </Button>
          )}
        </div>
      </div>
    ))}
  </section>
)
