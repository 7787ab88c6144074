import { Effect } from "effect"
import type { Page, Site } from "../Page.ts"
import { html } from "../shared/html.ts"
import { Layout } from "../shared/Layout.tsx"

interface Way {
  readonly href: string
  readonly name: string
  readonly text: string
}

const SANDBOX: ReadonlyArray<Way> = [
  {
    href: "/sandbox/wallet",
    name: "Sandbox wallet",
    text: "A payer's phone: scan a code, approve, reject, run out of money.",
  },
]

const EVERYWHERE: ReadonlyArray<Way> = [
  {
    href: "/console",
    name: "Console",
    text: "Payments with their whole story, refunds, deliveries, balances.",
  },
  {
    href: "/docs",
    name: "Documentation",
    text: "Guides that begin with something that runs, for people and for agents.",
  },
  {
    href: "/openapi.json",
    name: "API reference",
    text: "Every route of /v1 with its fields and failures, as OpenAPI 3.1.",
  },
]

const Home = ({ site }: { readonly site: Site }) => (
  <Layout
    site={site}
    language="en"
    title="payport"
    description="A payment service for software agents that buy and sell on behalf of people."
    styles={["home"]}
  >
    <main class="home">
      <p class="brand">
        <img src={site.asset("icon.svg")} alt="" width="32" height="32" />
        payport
        {site.mode === "sandbox" && <span class="tag">sandbox</span>}
      </p>
      <h1>Payments between software agents, approved by people</h1>
      <p class="lead">
        An agent asks for a payment, a person scans a code or opens a link, and the seller's agent
        delivers. Money moves in the wallets, banks and stablecoins underneath, once per effect.
      </p>
      {site.mode === "sandbox" && (
        <p>
          <a class="button" href={`${site.root}/sandbox/demo`}>
            See a payment
          </a>
        </p>
      )}
      <ul class="ways">
        {[...(site.mode === "sandbox" ? SANDBOX : []), ...EVERYWHERE].map(
          ({ href, name, text }) => (
            <li key={href}>
              <a class="card way" href={`${site.root}${href}`}>
                <strong>{name}</strong>
                <span class="soft small">{text}</span>
              </a>
            </li>
          ),
        )}
      </ul>
    </main>
  </Layout>
)

/** The documents for programs (RFC 8288, RFC 9727). */
const LINKS = [
  ["/.well-known/api-catalog", "api-catalog"],
  ["/openapi.json", "service-desc"],
  ["/docs/", "service-doc"],
  ["/llms.txt", "alternate"],
] as const

const linksOf = ({ root }: Site): string =>
  LINKS.map(([path, rel]) => `<${root}${path}>; rel="${rel}"`).join(", ")

/** Explains the service on one screen, with links. */
export const homePage: Page<never> = {
  method: "GET",
  path: "/",
  handle: ({ site }) => Effect.succeed(html(<Home site={site} />, 200, { Link: linksOf(site) })),
}
