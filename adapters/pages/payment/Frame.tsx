import type { ComponentChildren } from "preact"
import type { PageRequest } from "../Page.ts"
import { inLanguage } from "../shared/Language.ts"
import { Layout } from "../shared/Layout.tsx"
import { paymentTexts } from "./messages.ts"

interface FrameProps {
  readonly request: PageRequest
  readonly title: string
  readonly refresh?: number | undefined
  readonly script?: boolean
  readonly children: ComponentChildren
}

/** The frame of payers' pages: the page's content, and the choice of a language below it. */
export const Frame = ({ children, refresh, request, script = false, title }: FrameProps) => {
  const { language, path, query, site } = request
  const texts = paymentTexts[language]
  const here = `${site.root}${path}`
  const [english, chinese] = [
    `${here}${inLanguage(query, "en")}`,
    `${here}${inLanguage(query, "zh")}`,
  ]
  return (
    <Layout
      site={site}
      language={language}
      title={title}
      styles={["payment"]}
      scripts={script ? ["payment"] : []}
      refresh={refresh}
    >
      <a class="skip" href="#payment">
        {texts.skip}
      </a>
      {site.mode === "sandbox" && (
        <header class="banner">
          <strong>{texts.sandbox}</strong> {texts.sandboxText}
        </header>
      )}
      {children}
      <footer class="foot">
        <span>payport</span>
        <a href={english} lang="en" aria-current={language === "en" ? "true" : undefined}>
          English
        </a>
        <a href={chinese} lang="zh" aria-current={language === "zh" ? "true" : undefined}>
          中文
        </a>
      </footer>
    </Layout>
  )
}
