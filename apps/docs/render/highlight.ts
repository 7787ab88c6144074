import hljs from "highlight.js/lib/core"
import bash from "highlight.js/lib/languages/bash"
import http from "highlight.js/lib/languages/http"
import json from "highlight.js/lib/languages/json"
import sql from "highlight.js/lib/languages/sql"
import typescript from "highlight.js/lib/languages/typescript"
import yaml from "highlight.js/lib/languages/yaml"
import { escape } from "./escape.ts"

const LANGUAGES = { bash, http, json, sql, ts: typescript, yaml }
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

/** Returns code as HTML with classes for colours; only escaped if the language is unknown. */
export const highlight = (code: string, language: string): string =>
  language in LANGUAGES ? hljs.highlight(code, { language }).value : escape(code)
