/** Conflicts with edits of others that were merged into the open text. The text has the version that was written here. */
import type { BlockConflict, Resolution } from "@lectern/document/merge/BlockConflict"
import { Button } from "react-aria-components"
import { Versions } from "../change-request/Versions.tsx"
import { countedText, text } from "../language/Language.ts"

interface EditorConflictsProps {
  readonly conflicts: ReadonlyArray<BlockConflict>
  readonly onResolve: (conflict: BlockConflict, resolution: Resolution) => void
}

export const EditorConflicts = ({ conflicts, onResolve }: EditorConflictsProps) => (
  <section className="conflicts" aria-labelledby="editor-conflicts">
    <h2 id="editor-conflicts" role="alert">
      {countedText("conflict.inEditor", conflicts.length)}
    </h2>
    <p>{text("conflict.inEditorText")}</p>
    {conflicts.map((conflict) => (
      <div className="conflict" key={`${conflict.block} ${conflict.row ?? ""} ${conflict.column ?? ""}`}>
        <Versions base={conflict.base} main={conflict.main} ours={conflict.ours} />
        <div className="buttons">
          <Button className="control" onPress={() => onResolve(conflict, "ours")}>
            {text("conflict.keep.ours")}
          </Button>
          <Button className="control" onPress={() => onResolve(conflict, "main")}>
            {text("conflict.keep.main")}
          </Button>
          {conflict.row === undefined && conflict.column === undefined && (
            <Button className="control" onPress={() => onResolve(conflict, "both")}>
              {text("conflict.keep.both")}
            </Button>
          )}
        </div>
      </div>
    ))}
  </section>
)
