/**
 * A small picture of the page as a site shows it: its head with the cover, and the parts around the text as grey shapes.
 * Below it is the page as search engines list it.
 */
import type { ContentRef } from "@lectern/document/Document"
import { writingText } from "../../language/WritingTexts.ts"
import type { SpaceTag } from "../../api/Resources.ts"
import type { PageForm } from "./PageForm.ts"

interface PagePictureProps {
  readonly form: PageForm
  readonly tags: ReadonlyArray<SpaceTag>
  readonly urlOf: (ref: ContentRef) => string | undefined
  /** Path of the parent pages, without a slash at its end. */
  readonly parentPath: string
}

const lineWidths = ["w90", "w70", "w80", "w50"]

const Lines = () => lineWidths.map((width) => <i key={width} className={`picture-line ${width}`} />)

export const PagePicture = ({ form, tags, urlOf, parentPath }: PagePictureProps) => {
  const { layout, title, description } = form
  const cover = layout.cover && form.cover?.ref !== undefined ? urlOf(form.cover.ref) : undefined
  const isFull = layout.coverSize === "full"
  const image = cover !== undefined && <img src={cover} alt="" className={isFull ? "full" : ""} />
  const shownTags = layout.tags ? tags.filter(({ slug }) => form.tags.includes(slug)) : []
  return (
    <figure className="page-picture" aria-label={writingText("settings.picture")}>
      <div className="picture-page">
        {isFull && image}
        <div className="picture-columns">
          {layout.tableOfContents && (
            <div className="picture-side" aria-hidden="true">
              <Lines />
            </div>
          )}
          <div className="picture-main" data-width={layout.width}>
            {!isFull && image}
            {layout.title && (
              <p className="picture-title" dir="auto">
                {form.emoji !== "" && <span aria-hidden="true">{form.emoji} </span>}
                {title.trim() === "" ? writingText("settings.title") : title}
              </p>
            )}
            {layout.description && description.trim() !== "" && (
              <p className="picture-description" dir="auto">
                {description}
              </p>
            )}
            {shownTags.length > 0 && (
              <p className="picture-tags">
                {shownTags.map(({ emoji, label, slug }) => (
                  <span key={slug} className="badge" dir="auto">
                    {emoji} {label}
                  </span>
                ))}
              </p>
            )}
            <div className="picture-text" aria-hidden="true">
              <Lines />
            </div>
            {layout.pagination && (
              <div className="picture-pages" aria-hidden="true">
                <i />
                <i />
              </div>
            )}
          </div>
          {layout.outline && (
            <div className="picture-side" aria-hidden="true">
              <Lines />
            </div>
          )}
        </div>
      </div>
      <figcaption>
        <p className="field-label">{writingText("settings.searchResult")}</p>
        {form.noRobotsIndex ? (
          <p className="muted">{writingText("settings.notListed")}</p>
        ) : (
          <div className="search-result">
            <span className="muted" dir="ltr">
              {`…${parentPath}/${form.slug}`}
            </span>
            <strong dir="auto">{title}</strong>
            <span dir="auto">{description.slice(0, 160)}</span>
          </div>
        )}
      </figcaption>
    </figure>
  )
}
