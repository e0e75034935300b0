/** Script of all sites. Pages work without it; it adds convenience. */
import * as Copy from "./Copy.ts"
import * as Embeds from "./Embeds.ts"
import * as Feedback from "./Feedback.ts"
import * as Outline from "./Outline.ts"
import * as Search from "./Search.ts"
import * as Tabs from "./Tabs.ts"
import * as Theme from "./Theme.ts"
import * as Tree from "./Tree.ts"
import * as TryButton from "./TryButton.ts"
import * as Zoom from "./Zoom.ts"

for (const { define } of [Copy, Embeds, Feedback, Outline, Search, Tabs, Theme, TryButton]) define()
for (const { install } of [Tree, Zoom]) install()
