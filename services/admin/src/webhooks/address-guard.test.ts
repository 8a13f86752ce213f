import { expect, test } from 'vitest'
import { AddressRefusal, createAddressGuard } from './address-guard.ts'

const guard = createAddressGuard({ allowed: [] })

test.each([
  ...['127.0.0.1', '127.9.9.9', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...[
    '169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
  ],
  ...[
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:a9fe:a9fe]',
    '[::127.0.0.1]',
  ],
  ...[
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
  ],
  ...['[2001:0:7f00:1::]', '[2001:db8::1]'],
])('nothing is sent to %s', async (host) => {
  await expect(guard.check(host)).rejects.toThrow(AddressRefusal)
})

test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '[2606:4700::1111]'])(
  '%s is the internet',
  async (host) => {
    expect((await guard.check(host)).address).toBe(host.replace(/[[\]]/g, ''))
  },
)

test('a name is refused for one address inside, whatever the others are', async () => {
  const resolve = async () => [
    { address: '93.184.215.14', family: 4 },
    { address: '::1', family: 6 },
  ]
  const mixed = createAddressGuard({ allowed: [], resolve })
  await expect(mixed.check('mixed.example')).rejects.toThrow('Nothing is sent to ::1')
})

test('a name is looked up once, and what was looked at is what is connected to', async () => {
  const answers = ['93.184.215.14', '127.0.0.1']
  const resolve = async () => [{ address: answers.shift() ?? '', family: 4 }]
  const changing = createAddressGuard({ allowed: [], resolve })
  expect(await changing.check('rebind.example')).toEqual({ address: '93.184.215.14', family: 4 })
  await expect(changing.check('rebind.example')).rejects.toThrow(AddressRefusal)
})

test('networks that the operator names are allowed, mapped or not', async () => {
  const own = createAddressGuard({ allowed: ['10.0.0.0/8', 'fd00::/8', '192.168.1.7'] })
  for (const host of ['10.1.2.3', '[::ffff:10.1.2.3]', '[fd00::1]', '192.168.1.7']) {
    expect(await own.check(host)).toBeTruthy()
  }
  await expect(own.check('192.168.1.8')).rejects.toThrow(AddressRefusal)
})

test('a host that is not there is refused', async () => {
  const resolve = () => Promise.reject(new Error('ENOTFOUND'))
  const nowhere = createAddressGuard({ allowed: [], resolve })
  await expect(nowhere.check('nowhere.example')).rejects.toThrow('There is no host nowhere.example')
})
