import type { Interval } from "../../shared/Period.ts"

/** Names of intervals, in English and Chinese. The first match counts. */
const INTERVALS: ReadonlyArray<readonly [RegExp, Interval]> = [
  [/\bdaily\b|\b(?:per|a|each|every) day\b|每天|每日|按天|按日|日付|包日/iu, "daily"],
  [/\bweekly\b|\b(?:per|a|each|every) week\b|每周|每星期|按周|周付|包周/iu, "weekly"],
  [
    /\bquarterly\b|\b(?:per|a|each|every) quarter\b|\bevery (?:three|3) months\b|每季|按季|季付|包季|季度/iu,
    "quarterly",
  ],
  [
    /\b(?:yearly|annual|annually)\b|\b(?:per|a|each|every) year\b|每年|按年|年付|包年|年费|年度/iu,
    "yearly",
  ],
  [/\bmonthly\b|\b(?:per|a|each|every) month\b|每月|每个月|按月|月付|包月|月费|月度/iu, "monthly"],
]

/** Returns the interval that a text names. */
export const intervalIn = (text: string): Interval | undefined =>
  INTERVALS.find(([names]) => names.test(text))?.[1]

/** Tells whether a text names that interval, possibly among others. */
export const namesInterval = (text: string, interval: Interval): boolean =>
  INTERVALS.some(([names, named]) => named === interval && names.test(text))
