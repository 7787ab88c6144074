// Written independently of core/shared on purpose: see calendar.ts.

import {
  endOf,
  isMonth,
  monthOf,
  nextMonth,
  startOf as monthStart,
} from "../../core/shared/Month.ts"
import { daysIn, fromIso, toIso, utcDay } from "../../core/shared/Timestamp.ts"
import type { Calculated } from "../auditor/invariants/calculations.ts"
import type { Chance } from "../random/Chance.ts"
import { DAY, daysTo, drawDay, monthLength, two, written } from "./calendar.ts"
import { clocks } from "./clockOffsets.ts"
import { periods } from "./periodsCounted.ts"

/** Returns the part of a text that reaches the service. */
type Hears = (text: string) => string

const times = (chance: Chance, hears: Hears): ReadonlyArray<Calculated> => {
  const date = drawDay(chance)
  const [hour, minute, second] = [chance.int(0, 23), chance.int(0, 59), chance.int(0, 59)]
  const millis = chance.int(0, 999)
  const at = daysTo(date) * DAY + ((hour * 60 + minute) * 60 + second) * 1_000 + millis
  const day = written(date)
  const clock = `${two(hour)}:${two(minute)}:${two(second)}`
  const iso = `${day}T${clock}.${String(millis).padStart(3, "0")}Z`
  const zone = chance.int(1, 11)
  const wrong = chance.pick([
    `${day}T${clock}`,
    `${day} ${clock}Z`,
    day,
    `${date.year}-02-30T00:00:00Z`,
    `${date.year}-13-01T00:00:00Z`,
    `${date.year}-00-10T00:00:00Z`,
    `${date.year}-01-00T00:00:00Z`,
    `${date.year}-04-31T00:00:00Z`,
    `${day}T24:61:00Z`,
    `x${iso}`,
    `${iso}x`,
    `0000-01-01T00:00:00+01:00`,
    `9999-12-31T23:30:00-01:00`,
    "",
  ])
  const month = day.slice(0, 7)
  const later = date.month === 12 ? `${date.year + 1}-01` : `${date.year}-${two(date.month + 1)}`
  const first = daysTo({ ...date, day: 1 }) * DAY
  return [
    { what: `the time ${at}`, expected: iso, found: toIso(at) },
    { what: `the day of ${at}`, expected: day, found: utcDay(at) },
    { what: iso, expected: at, found: fromIso(hears(iso)) },
    { what: `${day}T${clock}Z`, expected: at - millis, found: fromIso(`${day}T${clock}Z`) },
    {
      what: `${day}T${clock}+${two(zone)}:30`,
      expected: at - millis - (zone * 60 + 30) * 60_000,
      found: fromIso(`${day}T${clock}+${two(zone)}:30`),
    },
    {
      what: `${day}T${clock.slice(0, 5)}-${two(zone)}:00`,
      expected: at - millis - second * 1_000 + zone * 3_600_000,
      found: fromIso(`${day}T${clock.slice(0, 5)}-${two(zone)}:00`),
    },
    { what: wrong, expected: undefined, found: fromIso(hears(wrong)) },
    {
      what: `the length of ${month}`,
      expected: monthLength(date.year, date.month),
      found: daysIn(date.year, date.month),
    },
    { what: `the month of ${at}`, expected: month, found: monthOf(at) },
    { what: `after ${month}`, expected: later, found: nextMonth(month) },
    { what: `the begin of ${month}`, expected: first, found: monthStart(month) },
    {
      what: `the end of ${month}`,
      expected: first + monthLength(date.year, date.month) * DAY,
      found: endOf(month),
    },
  ]
}

const MONTHS: ReadonlyArray<readonly [string, boolean]> = [
  ["1970-01", true],
  ["1969-12", false],
  ["2026-12", true],
  ["2026-13", false],
  ["2026-00", false],
  ["2026-10", true],
  ["2026-1", false],
  ["9998-12", true],
  ["9999-01", false],
  ["x2026-01", false],
  ["2026-01x", false],
]

/** Reads and writes times, and counts periods and months, in two ways. */
export const timesKept = (chance: Chance, hears: Hears): ReadonlyArray<Calculated> => [
  ...Array.from({ length: 12 }, () => [...times(chance, hears), ...periods(chance)]).flat(),
  ...clocks(chance),
  ...MONTHS.map(([text, is]) => ({
    what: `the month ${text}`,
    expected: is,
    found: isMonth(text),
  })),
]
