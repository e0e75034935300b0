/** Conflicts of a change request with the main content: each with its versions, and the choices. */
import { useMutation } from "@tanstack/react-query"
import { Button } from "react-aria-components"
import { request } from "../api/Api.ts"
import { changeRequestPath, client, contentKey } from "../api/Queries.ts"
import type { ChangeRequest, Conflict } from "../api/Resources.ts"
import { notifyProblem } from "../frame/Notices.tsx"
import { blockName, countedText, text } from "../language/Language.ts"
import { Versions } from "./Versions.tsx"

interface ConflictsProps {
  readonly changeRequest: ChangeRequest
  readonly conflicts: ReadonlyArray<Conflict>
  readonly canResolve: boolean
}

export const Conflicts = ({ changeRequest: { number, space }, conflicts, canResolve }: ConflictsProps) => {
  const resolve = useMutation({
    mutationFn: ({ id, keep }: { readonly id: string; readonly keep: Conflict["keep"][number] }) =>
      request(`${changeRequestPath(space, number)}/conflicts/${id}`, { body: { keep } }),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: ["change-request", space, number] })
      await client.invalidateQueries({ queryKey: contentKey({ space, changeRequest: number }) })
    },
    onError: notifyProblem
  })
  return (
    <section className="conflicts" aria-labelledby="conflicts">
      <h2 id="conflicts">{countedText("conflict.title", conflicts.length)}</h2>
      <p>{text("conflict.text")}</p>
      {conflicts.map(({ base, field, id, inside, keep, main, ours }) => (
        <div className="conflict" key={id}>
          {(field !== undefined || inside !== undefined) && (
            <p className="muted" dir="auto">
              {[field, ...(inside ?? []).map(({ title, type }) => title ?? blockName(type))]
                .filter(Boolean)
                .join(" › ")}
            </p>
          )}
          <Versions base={base} main={main} ours={ours} />
          {canResolve && (
            <div className="buttons">
              {keep.map((side) => (
                <Button
                  key={side}
                  className="control"
                  isDisabled={resolve.isPending && resolve.variables.id === id && resolve.variables.keep === side}
                  onPress={() => resolve.mutate({ id, keep: side })}
                >
                  {text(`conflict.keep.${side}`)}
                </Button>
              ))}
            </div>
          )}
        </div>
      ))}
    </section>
  )
}
