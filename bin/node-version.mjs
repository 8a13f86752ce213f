/** Says what is wrong with a version of Node.js, if it is one that Floe and its tools do not run with. */
export function refuseNodeVersion(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const supported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22
  if (supported) return undefined
  return `Floe needs Node.js 20.19 or newer (of the 22 line, 22.12 or newer); this is ${version}.`
}
