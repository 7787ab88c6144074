import { type Page, PARTS } from "./Page.ts"
import { markdownOf, type Site } from "./render/markdown.ts"

const ABOUT = `# payport

> A payment service between software agents that buy and sell for people: payments by QR code,
> link or mandate, refunds that take access back,
> subscriptions, usage, identity checks, signed webhooks, and books that balance. Served over
> HTTP and MCP, or embedded in TypeScript.

Amounts are whole minor units with a currency: \`{"currency": "USD", "value": 699}\` is 6.99 US
dollars. Only the limits of identity verification (\`limits\` of \`/v1/kyc/…\`, and \`details\` of
\`INSUFFICIENT_KYC\`) are in whole US dollars. Send an \`Idempotency-Key\` with every POST.
The interface is described by \`/openapi.json\`, and the part of it that a buyer needs by
\`/openapi/buyer.json\`, which is a tenth of it. Tools for agents are at \`/mcp/market\`.
\`/.well-known/api-catalog\` links to every description.`

/** Returns the index of the pages for agents, with links under `base`. */
export const llmsIndex = (pages: ReadonlyArray<Page>, base: string): string => {
  const parts = PARTS.map((part) => {
    const own = pages.filter((page) => page.part === part)
    const lines = own.map(({ about, path, title }) => `- [${title}](${base}${path}.md): ${about}`)
    return [`## ${part}`, "", ...lines].join("\n")
  })
  return [ABOUT, ...parts].join("\n\n") + "\n"
}

/** Returns all pages in one text. */
export const llmsFull = (pages: ReadonlyArray<Page>, site: Site): string =>
  [ABOUT, ...pages.map((page) => markdownOf(page, site).trimEnd())].join("\n\n---\n\n") + "\n"
