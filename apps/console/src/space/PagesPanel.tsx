/** The tree of pages at the side of a space, with the field that filters it. */
import { useDeferredValue, useRef, useState } from "react"
import { Button, Input, SearchField } from "react-aria-components"
import { Icon } from "../frame/Icon.tsx"
import { text } from "../language/Language.ts"
import { prepareFilter } from "./PageTree.ts"
import { PagesTree, type PagesTreeProps } from "./PagesTree.tsx"

export const PagesPanel = (props: Omit<PagesTreeProps, "filter">) => {
  const [filter, setFilter] = useState("")
  // The field follows the keys before the tree does.
  const treeFilter = useDeferredValue(filter)
  const panel = useRef<HTMLDivElement>(null)
  return (
    <div className="pages" ref={panel}>
      <SearchField
        className="search"
        aria-label={text("tree.filter")}
        value={filter}
        onChange={setFilter}
        onFocus={() => prepareFilter(props.pages)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return event.continuePropagation()
          panel.current?.querySelector<HTMLElement>("[role=treeitem]")?.focus()
        }}
      >
        <Icon name="search" />
        <Input placeholder={text("tree.filter")} dir="auto" />
        <Button className="plain square">
          <Icon name="close" />
        </Button>
      </SearchField>
      <PagesTree {...props} filter={treeFilter} />
    </div>
  )
}
