/** Amounts in hundredths as people say them in Chinese, of which some are easily confused. */
export const YUAN: readonly [
  readonly [string, number],
  ...ReadonlyArray<readonly [string, number]>,
] = [
  ["三块五", 350],
  ["三块零五", 305],
  ["3块05分", 305],
  ["三块五毛", 350],
  ["三块五毛八", 358],
  ["三块五毛八分", 358],
  ["五毛", 50],
  ["五毛八", 58],
  ["八分", 8],
  ["一百零三块", 10_300],
  ["一千零五十块", 105_000],
  ["一百五十块", 15_000],
  ["两万三千块", 2_300_000],
  ["12元5角", 1_250],
  ["伍佰元整", 50_000],
  ["1.5万元", 1_500_000],
]

/** Amounts in cents as people say them in English. */
export const DOLLARS: typeof YUAN = [
  ["$12.30", 1_230],
  ["12.30 USD", 1_230],
  ["USD 1,234.50", 123_450],
  ["twelve dollars and five cents", 1_205],
  ["a hundred dollars", 10_000],
  ["one hundred and twenty-three dollars", 12_300],
  ["two thousand and five dollars", 200_500],
  ["1.5k USD", 150_000],
  ["99 cents", 99],
]
