/** Creates a page in the change request of the screen, or in the user's draft, and opens it in the editor. */
import { useMutation } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { Button } from "react-aria-components"
import type { ContentPlace } from "../api/Queries.ts"
import { createdPage, writeContent } from "../api/Writes.ts"
import { Icon } from "../frame/Icon.tsx"
import { notifyProblem } from "../frame/Notices.tsx"
import { text } from "../language/Language.ts"
import { openDraft } from "./Draft.ts"

export interface NewPagePlace {
  readonly into?: string | null
  readonly at?: number
}

export const useNewPage = ({ space, changeRequest }: ContentPlace) => {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (where: NewPagePlace) => {
      const title = text("page.untitled")
      const number = changeRequest ?? (await openDraft(space, text("draft.newPage")))
      const result = await writeContent(space, number, [{ operation: "insert_page", title, ...where }])
      return { number, page: createdPage(result) }
    },
    onSuccess: async ({ number, page }) => {
      if (page === undefined) return
      await navigate({
        to: "/spaces/$space/changes/$number/pages/$page",
        params: { space, number: String(number), page }
      })
    },
    onError: notifyProblem
  })
}

interface NewPageButtonProps {
  readonly place: ContentPlace
  readonly isProminent?: boolean
}

export const NewPageButton = ({ place, isProminent = false }: NewPageButtonProps) => {
  const create = useNewPage(place)
  return (
    <Button
      className={isProminent ? "control primary" : "control wide"}
      isDisabled={create.isPending}
      onPress={() => create.mutate({})}
    >
      <Icon name="add" />
      {text("page.new")}
    </Button>
  )
}
