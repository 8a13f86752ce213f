import { expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import { pairwiseLooks } from './harness/looks.ts'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()

// Set by script, as the page's policy allows no style attributes.
const PLANT = `(() => {
  const plant = (tag, text, style) => {
    const element = document.createElement(tag)
    element.textContent = text
    for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value, 'important')
    document.querySelector('main').append(element)
  }
  plant('p', 'Pale', { color: '#999', background: '#aaa' })
  for (const name of ['a', 'b']) plant('button', name, { width: '9px', height: '9px', padding: '0' })
  plant('button', 'Unmarked', { outline: 'none' })
  plant('h6', 'Too deep', {})
  plant('p', 'Too wide', { width: '900px' })
  plant('p', 'Written over', { 'margin-block': '0 -1.4em' })
  plant('p', 'Writing over', { margin: '0' })
  plant('pre', 'Scrolled out of sight\\n'.repeat(20), { height: '30px', overflow: 'auto', margin: '0' })
  plant('p', 'Below what scrolls', { margin: '0' })
})()`

test('a barrier of every kind is found where one was put', async () => {
  const { page, leave } = await journey.visit()
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate(PLANT)
  const found = await findBarriers(page, 'home', { looks: pairwiseLooks.ltr })
  for (const problem of [
    /^home, light desktop: color-contrast at /,
    /^home, dark phone: color-contrast at /,
    /^home, light desktop: target-size at /,
    /^home, light desktop: heading-order at /,
    /^home, phone: nothing marks BUTTON Unmarked$/,
    /^home, phone: the page is \d+px wide$/,
    /^home, zoomed: the page is \d+px wide$/,
    /^home, zoomed: overlap: Written over \/ Writing over$/,
  ]) {
    expect(found).toContainEqual(expect.stringMatching(problem))
  }
  expect(found).not.toContainEqual(expect.stringMatching(/overlap: .*(?:Scrolled|scrolls)/))
  await leave()
})

test('nothing moves for those who asked for less motion', async () => {
  const moving = `document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().duration > 1).length`
  for (const [reducedMotion, expected] of [
    ['no-preference', true],
    ['reduce', false],
  ] as const) {
    const { page, leave } = await journey.visit({ reducedMotion })
    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const moves = async () => (await page.evaluate<number>(moving)) > 0 === expected
    await expect.poll(moves, { message: reducedMotion }).toBe(true)
    await leave()
  }
})
