import { Effect } from "effect"
import type { Page, Site } from "../Page.ts"
import { html } from "../shared/html.ts"
import { Layout } from "../shared/Layout.tsx"

const Console = ({ site }: { readonly site: Site }) => (
  <Layout
    site={site}
    language="en"
    title="Console · payport"
    styles={["console", "world"]}
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

/** The frame of the console, which is filled in the browser: the same for everybody. */
const consolePage = (path: string): Page<never> => ({
  method: "GET",
  path,
  handle: ({ site }) => Effect.succeed(html(<Console site={site} />)),
})

/** The console at each of its addresses, so that they can be kept and sent. */
export const consolePages = [consolePage("/console"), consolePage("/console/*")]
