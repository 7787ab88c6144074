import type { Failure } from "../../../core/shared/Failure.ts"
import { answerOf } from "../../http/contract/Errors.ts"
import type { PageAnswer, Site } from "../Page.ts"
import { html } from "./html.ts"
import type { Language } from "./Language.ts"
import { Layout } from "./Layout.tsx"
import { refusalTexts } from "./messages.ts"

const kindOf = (status: number, code: string): keyof (typeof refusalTexts)["en"] => {
  if (status === 404) return "notFound"
  if (code === "FORBIDDEN") return "forbidden"
  if (status === 429) return "tooMany"
  return status >= 500 ? "unavailable" : "wrong"
}

/** A refusal as a page, which says of the failure no more than its kind. */
export const refusalPage = (site: Site, language: Language, failure: Failure): PageAnswer => {
  const { status } = answerOf(failure.code, failure.subject)
  const { text, title } = refusalTexts[language][kindOf(status, failure.code)]
  const wait = failure.retry_after ?? (status === 503 ? 1 : undefined)
  const document = (
    <Layout site={site} language={language} title={title}>
      <main>
        <div class="card notice">
          <h1>{title}</h1>
          <p class="soft">{text}</p>
        </div>
      </main>
    </Layout>
  )
  return html(document, status, {
    ...(wait !== undefined && { "Retry-After": String(Math.ceil(wait)) }),
  })
}
