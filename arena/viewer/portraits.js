// Faces: busts put together from hair, hat, clothes and what somebody wears besides.
import { circ, path } from "./drawing.js";

// ---- portraits: a bust in a 64 x 80 box. Light falls from the left; half the face lies in shade. ----
const FACE = path("M20 27C20 46 26 54 32 54S44 46 44 27C44 19 20 19 20 27Z", "skin") + path("M32 20.500C38 20.500 44 22.500 44 27 44 46 38 54 32 54Z", "shade");
const NECK = path("M27 48H37V60L32 64 27 60Z", "shade");
const LOOK = path("M23 34.500Q25.800 32.400 28.600 34.500M35.400 34.500Q38.200 32.400 41 34.500", "lid") + path("M22.600 31Q25.600 28.800 29 30.600M35 30.600Q38.400 28.800 41.400 31", "brow") + path("M32 34V42.500L34 43.500", "nose");
const LIPS = { f: path("M29 47.600Q30.600 46 32 47 33.400 46 35 47.600 32 50.600 29 47.600Z", "lips"), m: path("M29 48H35", "mouth") };
const BODY = {
  suit: path("M2 80C3 66 12 61 24 57L32 66 40 57C52 61 61 66 62 80Z", "cloth") + path("M24 57 32 80 27 80 20 62ZM40 57 32 80 37 80 44 62Z", "cloth2") + path("M27 59 32 66 37 59 38 64 32 80 26 64Z", "shirt"),
  gown: path("M8 80C9 70 15 64 24 60 26 67 38 67 40 60 49 64 55 70 56 80Z", "cloth") + path("M24 60C26 67 38 67 40 60L37 57C36 62 28 62 27 57Z", "skin"),
  fur: path("M0 80C0 66 10 60 22 57Q32 74 42 57C54 60 64 66 64 80Z", "cloth") + path("M6 80Q4 70 12 66 10 60 20 60 22 55 28 60 26 66 32 72 38 66 36 60 42 55 44 60 54 60 52 66 60 70 58 80H46Q40 78 32 80 24 78 18 80Z", "cloth2"),
};
const HAIR = {
  bob: path("M15 46C11 10 53 10 49 46L44.500 47V29C36 30 27 27 23 24 20 27 19.500 32 19.500 47Z", "hair"),
  wave: path("M16 42C10 12 54 8 48 40Q51 44 45 45 47 38 44 33 45 27 40 26 36 28 30 25 22 26 21 32 17 37 19 44 14 46 16 42Z", "hair"),
  slick: path("M19 31C16 12 48 12 45 31 44 26 42 24 38 23.500 32 23 26 24 22 22.500 20 25 19.500 27 19 31Z", "hair") + path("M25 16.500Q32 20 40 18", "part"),
  side: path("M18.500 33C15 12 50 12 45.500 33 44 25 40 23 27 22 22 24 20 27 18.500 33Z", "hair"),
  bald: path("M19 33Q17.500 28 20 24L20.500 34ZM45 33Q46.500 28 44 24L43.500 34Z", "hair"),
  long: path("M14 58C8 8 56 8 50 58L44 60V30Q34 29 32 22 30 29 20 30V60Z", "hair"),
  bun: path("M17 38C12 14 52 14 47 38L44.500 32Q38 24 32 24 26 24 19.500 32Z", "hair") + circ(32, 11, 6.5, "hair"),
};
const HAT = {
  fedora: path("M8 26Q20 21 19 17C19 5 26 7 32 10 38 7 45 5 45 17 44 21 56 26 56 26 44 33 20 33 8 26Z", "hat") + path("M19 17.500Q32 23 45 17.500V21.500Q32 27 19 21.500Z", "band"),
  tophat: path("M20 1H44L43 20H53V25Q32 30 11 25V20H21Z", "hat") + path("M21.300 14.500H42.700V19H21.100Z", "band"),
  cloche: path("M16 38C13 8 51 8 48 38 40 27 24 27 16 38Z", "hat") + path("M16.500 30Q32 18 47.500 30V34.500Q32 23 16.300 34.500Z", "band") + circ(44, 28, 4.5, "trim"),
  boater: path("M20 9H44V20H54V24.500H10V20H20Z", "hat") + path("M20 14H44V20H20Z", "band"),
  feather: path("M18 28Q32 19 46 28V32Q32 23 18 32Z", "band") + path("M43 27C52 20 52 8 46 1 42 8 40 18 43 27Z", "trim") + path("M44 24Q47 14 46.300 4", "part"),
  turban: path("M15 32C12 6 52 6 49 32Q41 20 32 22 23 20 15 32Z", "hat") + path("M32 22Q20 14 18 20M32 22Q44 12 46 18M32 22Q28 12 34 9", "part") + path("M32 14 36 20 32 26 28 20Z", "trim"),
  cap: path("M14 27C14 8 50 7 50 24L55 29Q42 30 40 27Q28 24 14 27Z", "hat") + circ(33, 11, 2, "band"),
  peak: path("M15 20 20 9H44L49 20 45 25H19Z", "hat") + path("M18 24Q32 20 46 24L49 29Q32 23 15 29Z", "band") + path("M32 11 34 15 38 15 35 18 36 22 32 20 28 22 29 18 26 15 30 15Z", "trim"),
  visor: path("M18.500 26Q32 19 45.500 26V30Q32 24 18.500 30Z", "band") + path("M18 29Q32 22 46 29L51 34Q32 28 13 34Z", "trim"),
  bowler: path("M18 22C18 4 46 4 46 22L56 24Q32 34 8 24Z", "hat") + path("M18 18.500Q32 23 46 18.500V22.500Q32 27 18 22.500Z", "band"),
  tiara: path("M18 27Q32 19 46 27L44 20 39 22 37 13 32 19 27 13 25 22 20 20Z", "trim"),
};
const EXTRA = {
  pearls: [[24, 60], [26.5, 63], [29.5, 65.300], [33, 66], [36.5, 64.500], [39, 61.500]].map(([x, y]) => circ(x, y, 1.7, "pearl")).join(""),
  bow: path("M32 63 25 59.500V67ZM32 63 39 59.500V67Z", "trim") + circ(32, 63, 1.6, "trim"),
  tie: path("M30.500 62H33.500L35.500 80H28.500Z", "trim"),
  tash: path("M26.500 45.500Q29.500 43.500 32 45 34.500 43.500 37.500 45.500 34.500 47.500 32 46.200 29.500 47.500 26.500 45.500Z", "hair"),
  monocle: circ(38.2, 34.5, 4.3, "wire") + path("M41 38.500Q44 50 42 60", "wire"),
  specs: circ(26, 34.5, 4.2, "wire") + circ(38.2, 34.5, 4.2, "wire") + path("M30.200 34H34", "wire"),
  drop: circ(18.8, 45, 2, "trim") + circ(45.2, 45, 2, "trim"),
  holder: path("M35 48.500 52 53", "wire") + path("M52 51.500 57 53 52 54.500Z", "trim"),
  mole: circ(38, 44, .9, "hairdot"),
  collar: path("M24 57 32 68 40 57 45 62 32 78 19 62Z", "shirt"),
};
export function bust({ hair, hat, body = "suit", extra = [], sex = "m" }) {
  const behind = hair === "long" ? HAIR.long : "";
  return BODY[body] + NECK + behind + FACE + LOOK + LIPS[sex] + (hair && hair !== "long" ? HAIR[hair] : hair === "long" ? path("M18 34Q20 16 32 20 44 16 46 34 40 26 32 23 24 26 18 34Z", "hair") : "") + (hat ? HAT[hat] : "") + extra.map((e) => EXTRA[e] ?? "").join("");
}
