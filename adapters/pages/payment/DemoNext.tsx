import type { PageRequest } from "../Page.ts"
import { languageQuery } from "./languageQuery.ts"
import { type endingOf, paymentTexts } from "./messages.ts"

interface DemoProps {
  readonly request: PageRequest
  readonly id: string
  readonly ending: NonNullable<ReturnType<typeof endingOf>>
}

/** The next steps after a demo's payment: the seller's part, and a payment of one's own. */
export const DemoNext = ({ ending, id, request }: DemoProps) => {
  const { language, site } = request
  const texts = paymentTexts[language].demo
  if (ending === "authorized") {
    return (
      <form
        class="demo"
        method="post"
        action={`${site.root}/sandbox/demo/${id}/deliver${languageQuery(request)}`}
      >
        <h3>{texts.next}</h3>
        <p class="soft small">{texts.nextText}</p>
        <button class="button wide">{texts.deliver}</button>
      </form>
    )
  }
  return (
    <div class="demo">
      <h3>{texts.done}</h3>
      <ol class="small">
        {texts.story.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <a class="button wide" href={`${site.root}/console/payments/${id}`}>
        {texts.seller}
      </a>
      <p class="soft small">{texts.sellerText}</p>
      <a class="button quiet wide" href={`${site.root}/docs/guides/start`}>
        {texts.own}
      </a>
    </div>
  )
}
