import type { Failure } from "../../../core/shared/Failure.ts"
import { answerOf } from "../../http/contract/Errors.ts"
import type { PageAnswer, Site } from "../Page.ts"
import { html } from "./html.ts"
import type { Language } from "./Language.ts"
import { Layout } from "./Layout.tsx"
import { againTexts, refusalTexts } from "./messages.ts"

const kindOf = (
  status: number,
  code: string,
  makes: boolean,
): keyof (typeof refusalTexts)["en"] => {
  if (status === 404) return "notFound"
  if (code === "FORBIDDEN") return "forbidden"
  if (status === 429) return makes ? "tooManyMade" : "tooMany"
  return status >= 500 ? "unavailable" : "wrong"
}

/**
 * Returns a refusal as a page, which says only the failure's kind. If a form that makes something
 * was sent too often, `back` is its page.
 */
export const refusalPage = (
  site: Site,
  language: Language,
  failure: Failure,
  back?: string,
): PageAnswer => {
  const { status } = answerOf(failure.code, failure.subject)
  const { text, title } = refusalTexts[language][kindOf(status, failure.code, back !== undefined)]
  const wait = failure.retry_after ?? (status === 503 ? 1 : undefined)
  const document = (
    <Layout site={site} language={language} title={title}>
      <main>
        <div class="card notice">
          <h1>{title}</h1>
          <p class="soft">{text}</p>
          {status === 429 && back !== undefined && (
            <a class="button" href={back}>
              {againTexts[language]}
            </a>
          )}
        </div>
      </main>
    </Layout>
  )
  return html(document, status, {
    ...(wait !== undefined && { "Retry-After": String(Math.ceil(wait)) }),
  })
}
