// Decimals in their one canonical spelling, made from text alone.

const MOST = 64;

/** The canonical spelling of a decimal as authors write it; null if it is none. */
export function normalised(text) {
  if (!/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text)) return null;
  const short = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  const found = short === "-0" ? "0" : short;
  return found.length <= MOST ? found : null;
}

/** The canonical spelling of a JSON number, its exponent written out. */
export function expanded(number) {
  const [, sign, whole, part = "", power = "0"] =
    /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(number);
  const shift = Number(power);
  const digits = "0".repeat(Math.max(0, -shift)) + whole + part + "0".repeat(Math.max(0, shift));
  const point = whole.length + Math.max(0, -shift) + shift;
  const front = digits.slice(0, point).replace(/^0+(?=[0-9])/, "") || "0";
  const back = digits.slice(point);
  return normalised(`${sign}${front}${back && `.${back}`}`);
}
