// `node deploy/release/image-names.mjs <target>` prints the names of an image at all hubs, as outputs of a
// workflow's step. GITHUB_IMAGES and DOCKERHUB_IMAGES name the image `floe`; a hub without a name gets none.
const [target] = process.argv.slice(2)
const hubs = [process.env.GITHUB_IMAGES, process.env.DOCKERHUB_IMAGES].filter(Boolean)

if ((target !== 'floe' && target !== 'all-in-one') || hubs.length === 0) {
  console.error('Usage: GITHUB_IMAGES=<hub>/<account>/floe image-names.mjs floe | all-in-one')
  process.exitCode = 1
} else {
  const ending = target === 'floe' ? '' : `-${target}`
  // Names of repositories may have capital letters, names of images none.
  const names = hubs.map((hub) => hub.toLowerCase() + ending)
  console.log(`names=${names.join(',')}\nfirst=${names[0]}`)
}
