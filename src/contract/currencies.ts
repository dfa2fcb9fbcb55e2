const noDigits = `
  BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF
`;
const threeDigits = `
  BHD IQD JOD KWD LYD OMR TND
`;
const fourDigits = `
  CLF UYW
`;
const twoDigits = `
  AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD
  CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS
  GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL
  MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK
  PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS
  TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
`;

const codes = (text: string) => text.trim().split(/\s+/);

/** The active ISO 4217 currencies and their decimal places: JPY 0, USD 2, KWD 3. */
export const currencyDigits: ReadonlyMap<string, number> = new Map([
  ...codes(noDigits).map((code) => [code, 0] as const),
  ...codes(twoDigits).map((code) => [code, 2] as const),
  ...codes(threeDigits).map((code) => [code, 3] as const),
  ...codes(fourDigits).map((code) => [code, 4] as const),
]);
