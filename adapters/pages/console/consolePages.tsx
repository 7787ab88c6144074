import { Effect } from "effect"
import { Failure } from "../../../core/shared/Failure.ts"
import type { Page, Site } from "../Page.ts"
import { html } from "../shared/html.ts"
import { Layout } from "../shared/Layout.tsx"

const Console = ({ site }: { readonly site: Site }) => (
  <Layout
    site={site}
    language="en"
    title="Console · payport"
    styles={["console", "sandbox", "world"]}
    scripts={["console"]}
  >
    <div id="console" data-root={site.root} data-mode={site.mode}>
      <noscript>
        <div class="card notice">
          <h1>The console needs JavaScript</h1>
          <p class="soft">
            Everything that it shows is in the interface too, which any program can call.
          </p>
        </div>
      </noscript>
    </div>
  </Layout>
)

/** The frame of the console, the same for everybody. The browser fills it. */
const consolePage = (path: string): Page<never> => ({
  method: "GET",
  path,
  handle: ({ site }) => Effect.succeed(html(<Console site={site} />)),
})

/** An unknown route under the console's proxy is no view. */
const nothing: Page<never> = {
  method: "GET",
  path: "/console/api/*",
  handle: () => Effect.fail(new Failure({ code: "NOT_FOUND", message: "There is no such route." })),
}

/** The console at each of its addresses, so that they can be stored and sent. */
export const consolePages = [consolePage("/console"), consolePage("/console/*"), nothing]
