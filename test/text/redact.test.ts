import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactor } from '../../src/text/redact.ts';

const salt = 'a-secret-of-the-run';
const secrets = redactor({ salt });
const personal = redactor({ salt, personal: true });
const kindsIn = (value: unknown, redact = personal) => Object.keys(redact(value).counts);
const upper = 'ABCDEFGHIJKLMNOP';
const made = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'; // 36 characters

it.each([
  ['anthropic_key', `sk-ant-api03-${made}`],
  ['openai_key', `sk-proj-${made}`],
  ['aws_key', `AKIA${upper}`],
  ['google_key', `AIza${made.slice(0, 35)}`],
  ['github_token', `ghp_${made}`],
  ['gitlab_token', `glpat-${made}`],
  ['slack_token', `xoxb-123456789012-${made}`],
  ['hf_token', `hf_${made}`],
  ['stripe_key', `sk_live_${made}`],
  ['npm_token', `npm_${made}`],
  ['jwt', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P'],
  ['private_key', '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY-----'],
  ['password', 'postgres://app:s3cr-t_w0rd@db.internal:5432/main'],
  ['bearer', `Authorization: Bearer ${made}`],
  ['bearer', 'authorization: Basic dXNlcjpwYXNzd29yZDE='],
  ['secret', 'OPENAI_API_KEY=prod1234567890'],
  ['secret', 'the password is hunter22!'],
  ['aws_secret', `aws_secret_access_key = "${made}WXYZ"`],
])('finds %s in text and leaves the words around it', (kind, text) => {
  const { value, counts } = secrets(`before ${text} after`);
  expect(counts).toEqual({ [kind]: 1 });
  expect(value).toMatch(new RegExp(`^before .*\\[${kind}:[0-9a-f]{12}\\].* after$`, 's'));
  expect(value).not.toContain('MIIEow');
});

it.each([
  ['email', 'write to Jo.Müller+x@mail.example.org today'],
  ['phone', 'call +49 (30) 1234-5678'],
  ['phone', 'call me at 415-555-2671.'],
  ['phone', '(415) 555-2671'],
  ['iban', 'to DE89 3704 0044 0532 0130 00 please'],
  ['card', 'card 4111 1111 1111 1111'],
  ['ssn', 'ssn 536-22-1234'],
  ['ip', 'from 203.0.113.9'],
  ['ip', 'from 2001:db8::8a2e:370:7334'],
])('finds %s when asked for personal data, and only then', (kind, text) => {
  expect(personal(text).counts).toEqual({ [kind]: 1 });
  expect(secrets(text)).toEqual({ value: text, counts: {} });
});

it.each([
  ['an order id', 'order 114-3941689-8772232'],
  ['a phone-like order number', 'order number: 415-555-2671'],
  ['a phone-like ticket', 'see ticket #415-555-2671'],
  ['an order id under its key', { order_id: '415-555-2671', tracking_number: 'x', invoice: '4111 1111 1111 1111' }],
  ['a prefixed id', 'ORD-415-555-2671'],
  ['a UUID', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
  ['a hash', 'd41d8cd98f00b204e9800998ecf8427e and e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['an image', `data:image/png;base64,iVBORw0KGgo${'AKIA0123456789ABCDEFsk-4111111111111111eyJ+/'.repeat(50)}`],
  ['a time in ns and ms', { ts: 1_760_000_000_000_000_001n, at: 1_760_000_000_000 }],
  ['a version', 'version 1.2.3.4 and v10.0.0.1'],
  ['a clock', 'from 12:30:45 to 13:00:00'],
  ['this machine', 'http://127.0.0.1:8080 and ::1'],
  ['a policy version', 'qwen/qwen3-4b@0123456789abcdef'],
  ['a package name', 'sk-learn-classification-pipeline and hf_transformers_integration_module_tests'],
  ['a decorator', '@dataclass on user@host'],
  ['a bad card, IBAN and SSN', '4111 1111 1111 1112, DE89 3704 0044 0532 0130 01, 000-12-3456'],
  ['a barcode', '4006381333931'],
  [
    'placeholders of a guide',
    'api_key=<YOUR_API_KEY1> password: ******** password="yourpassword" postgres://u:<PASSWORD>@h',
  ],
  [
    'a tool that has a password',
    { properties: { password: { type: 'string', description: 'the password is required' } } },
  ],
  ['amounts and dates', '1,234,567.89 on 2026-10-31, 555 2671'],
])('leaves %s alone', (_name, value) => {
  expect(personal(value)).toEqual({ value, counts: {} });
});

it('gives an argument the placeholder of the turn it came from, however it is written', () => {
  const { value, counts } = personal({
    prompt: 'I am Jo@Mail.example, call +1 (415) 555-2671. My password is hunter22!',
    steps: [
      {
        tool: 'find',
        arguments: { email: 'jo@mail.example', phone: '4155552671', pin: 4155552671 },
        result: '{"tel":4155552671}',
      },
      { text: 'I call 415-555-2671 and use hunter22! now.' },
    ],
  });
  const email = /\[email:\w+\]/.exec(value.prompt)?.[0];
  const phone = /\[phone:\w+\]/.exec(value.prompt)?.[0];
  const secret = /\[secret:\w+\]/.exec(value.prompt)?.[0];
  expect(value.steps).toEqual([
    { tool: 'find', arguments: { email, phone, pin: phone }, result: `{"tel":"${phone}"}` },
    { text: `I call ${phone} and use ${secret} now.` },
  ]);
  expect(counts).toEqual({ email: 2, phone: 5, secret: 2 });
});

it('redacts what stands under a key that says secret, and wherever else it is said', () => {
  const { value } = secrets({
    arguments: { password: 'correct horse' },
    text: 'logging in with correct horse.',
    token: 'next-page',
  });
  expect(value.arguments.password).toMatch(/^\[secret:/);
  expect(value.text).toBe(`logging in with ${value.arguments.password}.`);
  expect(value.token).toBe('next-page');
});

it('redacts keys that are values, and keeps two of them two', () => {
  const { value } = personal({ by: { 'jo@mail.example': 1, 'JO@mail.example': 2 } });
  const [first = '', second = ''] = Object.keys(value.by);
  expect(first).toMatch(/^\[email:\w{12}\]$/);
  expect(second).toBe(`${first}#2`);
});

it('looks into JSON text and leaves it valid, every digit kept', () => {
  const text = '{"card":4111111111111111,"n":9007199254740993,"note":"jo\\u0040mail.example"}';
  const { value } = personal(text);
  expect(JSON.parse(value)).toEqual({
    card: expect.stringMatching(/^\[card:/),
    n: Number('9007199254740993'),
    note: expect.stringMatching(/^\[email:/),
  });
  expect(value).toContain('9007199254740993');
});

it('gives other placeholders for another salt, and takes patterns of your own', () => {
  const rules = [{ kind: 'badge', pattern: 'B-[0-9]{4}' }];
  const one = redactor({ salt: 'one', rules })('B-1234 and B-1234, B-9999').value;
  const two = redactor({ salt: 'two', rules })('B-1234 and B-1234, B-9999').value;
  expect(one).toMatch(/^(\[badge:\w{12}\]) and \1, \[badge:\w{12}\]$/);
  expect(two).not.toBe(one);
  expect(() => redactor({ salt, rules: [{ kind: 'bad', pattern: '(' }] })).toThrow('TM_OPTIONS: redact: rules: bad');
});

it('finds nothing more when run again, and copies nothing when nothing was found', () => {
  const piece = fc.constantFrom(
    'jo@mail.example',
    `sk-proj-${made}`,
    '+49 30 12345678',
    'x',
    ' ',
    '4111111111111111',
    '{',
    '"',
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'password', 'order_id'), fc.array(piece))), (fields) => {
      const value = Object.fromEntries(fields.map(([key, parts]) => [key, parts.join(' ')]));
      const once = personal(value).value;
      const again = personal(once);
      expect(again.value).toBe(once);
      expect(again.counts).toEqual({});
    }),
  );
  const row = { messages: [{ role: 'user', content: 'hello' }], n: 5 };
  expect(personal(row).value).toBe(row);
});

it('reads a megabyte of one long word in a moment', () => {
  for (const unit of ['a', 'a1.', '1 ', 'A1B2', 'aws secret ', '1:', '%40', 'password_'])
    kindsIn(unit.repeat(1_000_000 / unit.length));
});

it('finds a secret that is glued to an escape, a colour code, an underscore or a letter, and leaves words that only look like one', () => {
  const redact = redactor({ salt: 'salt for tests', personal: false, rules: [] });
  const key = `sk-proj-${'aB3d'.repeat(10)}`;
  for (const text of [`out:\\n${key}`, `\u001b[31m${key}`, `KEY_${key}`, `x${key}`, `xAKIA${'ABCD2345'.repeat(2)}x`])
    expect(redact(text).value).toMatch(/\[\w+_key:[0-9a-f]{12}\]/);
  for (const text of ['task-1234567890abcdefghij1', `risk-${'a1'.repeat(15)}`]) expect(redact(text).value).toBe(text);
});

it.each([
  ['host', { 'host.name': 'jo-laptop' }],
  ['host', { resource: { attributes: { 'host.ip': ['box-7'] } } }],
  ['user', { 'enduser.id': 'jo77' }],
  ['user', { 'langfuse.user.id': 'jo77' }],
  ['user', { 'process.owner': 'jo' }],
  ['path', { 'process.command_line': 'node serve.js --as jo' }],
  ['path', { 'process.command_args': ['node', 'serve.js'] }],
  ['ip', { 'client.address': 'edge-7' }],
  ['user', { note: 'at /home/joanna/work/app.py line 3' }],
  ['user', { note: 'C:\\Users\\joanna\\app.py' }],
])('finds %s by where it stands or how it is written: %j', (kind, value) => {
  expect(kindsIn(value)).toEqual([kind]);
  expect(kindsIn(value, secrets)).toEqual([]);
});

it.each([
  { user_id: 'u_17', order: { user_id: 'u_17' } },
  { 'service.name': 'shop', 'telemetry.sdk.name': 'opentelemetry', 'session.id': 's1' },
  { note: '/home/runner/work/app, /home/ubuntu/x and /Users/shared/y' },
])('leaves what is nobody alone: %j', (value) => {
  expect(kindsIn(value)).toEqual([]);
});

it('finds a host and a person of the resource wherever a span repeats them', () => {
  const { value } = personal({ 'host.name': 'jo-laptop', error: 'connect to jo-laptop:5432 refused' });
  expect(value.error).toBe(`connect to ${value['host.name']}:5432 refused`);
});

it('takes a header for a secret by the last word of its attribute', () => {
  expect(kindsIn({ 'http.request.header.authorization': ['Digest abc'] }, secrets)).toEqual(['secret']);
  expect(kindsIn({ 'http.request.header.cookie': ['sid=17171717'] }, secrets)).toEqual(['secret']);
});

const held = 'Tr0ub4dor&3x';
const key = 'abcd1234efgh5678ijkl';
it.each([
  ...['DB_PASSWORD', 'db_password', 'dbPassword', 'DBPassword', 'userPassword', 'password_confirmation', 'smtp.pass'],
  ...['aws_secret_access_key', 'SecretAccessKey', 'client_secret', 'OPENAI_API_KEY', 'x-openai-api-key', 'apikey'],
  ...['bearer_token', 'accessKey', 'token', 'authToken', 'SessionToken', 'GITHUB_TOKEN', 'credentials', 'private-key'],
  ...['PWD', 'API_KEY_2', 'proxy-authorization', 'http.request.header.cookie'],
])('a secret under %s does not stay in JSON while it goes from text', (name) => {
  const json = JSON.stringify({ [name]: key });
  const { value } = secrets({
    arguments: { [name]: key },
    result: json,
    twice: JSON.stringify(json),
    said: `> ${json}`,
  });
  const { [name]: mark = '' } = value.arguments;
  expect(mark).toMatch(/^\[secret:\w{12}\]$/);
  expect(JSON.parse(value.result)).toEqual({ [name]: mark });
  expect(JSON.parse(JSON.parse(value.twice))).toEqual({ [name]: mark });
  expect(secrets(`> ${json}`).value).toBe(`> ${JSON.stringify({ [name]: mark })}`);
});

it.each([
  ...['max_tokens', 'token_count', 'n_tokens', 'tokens', 'total_tokens', 'password_hint', 'secret_name', 'token_type'],
  ...[
    'next_page_token',
    'pageToken',
    'continuation_token',
    'NextToken',
    'cursor',
    'primary_key',
    'sort_key',
    'keyword',
  ],
  ...['has_password', 'access_key_id', 'api_key_name', 'public_key', 'passenger', 'compass', 'monkey', 'tokenizer'],
])('what stands under %s stays usable', (name) => {
  const row = {
    arguments: { [name]: 'abc12345678' },
    json: `{"${name}":"abc12345678"}`,
    url: `http://x.example/?${name}=abc12345678`,
  };
  expect(secrets(row)).toEqual({ value: row, counts: {} });
});

it('counts, answers and folders under the keys of secrets stay', () => {
  const row = {
    ...{ token: 12345678, has_password: true, password: null, secret: false, PWD: '/home', access_token: 7_000_000 },
    schema: { required: ['password', 'user_1'], properties: { password: { type: 'string' }, token: 'string' } },
    ...{ credentials: 'same-origin', api_key: '$API_KEY_1', prior_authorization: 'approved', pin: 'top-left' },
  };
  expect(secrets(row)).toEqual({ value: row, counts: {} });
});

it('a number under the key of a password or a pin is a secret', () => {
  const { value } = secrets({ password: 123456, user_pin: 4711, text: 'with 123456 now' });
  expect(value.text).toBe(`with ${value.password} now`);
  expect(value.user_pin).toMatch(/^\[secret:/);
});

it.each([
  ['a line of YAML', `password: ${held}`],
  ['an environment', `export DB_PASSWORD=${held}`],
  ['prose', `my password is ${held}, thanks`],
  ['cut JSON', `{"password": "${held}", "n": 1`],
  ['escaped JSON', `{\\"password\\": \\"${held}\\", \\"n\\": 1`],
  ['JSON in text', `Result: {"dbPassword":"${held}"}`],
  ['Python', `{'password': '${held}', 'n': 1}`],
  ['XML', `<user><password>${held}</password></user>`],
  ['tool markup', `<parameter name="password">${held}</parameter>`],
  ['a flag', `login --password ${held} --now`],
  ['a connection', `Server=db;Password=${held};Database=main`],
])('the password of %s has the placeholder of its field, and all of it goes', (_where, text) => {
  const { password } = secrets({ password: held }).value;
  const alone = secrets(text).value;
  expect(alone).toBe(text.replace(held, password));
});

it('reads the secret parameters of a URL, and leaves the others', () => {
  const { value } = secrets(
    `https://x.example/a?token=${key}&page=2 and #access_token=${key}&b=1, ?password=horse&c=3`,
  );
  expect(value).toMatch(
    /^https:..x\.example.a\?token=(\[secret:\w+\])&page=2 and #access_token=\1&b=1, \?password=\[secret:\w+\]&c=3$/,
  );
});

it('reads headers as pairs of a name and a value, in every form', () => {
  const basic = 'Basic dXNlcjpodW50ZXIyMDAw';
  const { value, counts } = secrets({
    objects: [
      { name: 'Authorization', value: basic },
      { name: 'Cookie', value: `sid=${key}` },
    ],
    pairs: [
      ['Authorization', basic],
      ['Accept', 'text/html 1'],
    ],
    rawHeaders: ['Accept', 'x', 'Authorization', basic],
    attributes: [{ key: 'DB_PASSWORD', value: { stringValue: held } }],
    headers: { Authorization: basic },
    text: `Authorization: ${basic}`,
  });
  const text = JSON.stringify(value);
  for (const secret of ['dXNlcjpodW50ZXIyMDAw', key, held]) expect(text).not.toContain(secret);
  expect(new Set(text.match(/Basic \[bearer:\w+\]/g)).size).toBe(1);
  expect(counts).toEqual({ bearer: 5, secret: 2 });
});

it('looks for JSON in a text that is JSON itself', () => {
  const password = 'correct horse battery';
  const { value } = secrets({ a: JSON.stringify(JSON.stringify({ password })) });
  expect(JSON.parse(JSON.parse(value.a)).password).toMatch(/^\[secret:/);
});

it('ends on a megabyte of hostile names, quotes, elements and flags', () => {
  for (const unit of [
    'token=',
    'password: ',
    '"key"',
    'key\\\\\\"',
    '<a>',
    '<pass ',
    ' --',
    '--key ',
    '&token=',
    'A',
    'aB',
    'secret.',
    "pass:'",
    'key   ',
  ])
    kindsIn({ text: unit.repeat(1_000_000 / unit.length), [unit.repeat(100_000)]: 'a' });
});
