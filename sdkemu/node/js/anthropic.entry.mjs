// The bundle's entry for anthropic-node; the bundler puts one version's package in the place of "sdk".
import Anthropic from 'sdk';
import * as errors from 'sdk/error';
import * as beta from 'sdk/resources/beta/index';
import { Stream } from 'sdk/streaming';
import { adapter } from './anthropic.mjs';
import * as driver from './driver.mjs';

const sdk = adapter({ Anthropic, errors, beta });
const progress = driver.newProgress();
driver.observe(Stream, () => progress);

export { progress };
export const run = (call) => driver.run(sdk, call, progress);
export const describe = (e) => driver.describe(e, sdk.classes);
export const atEvent = () => driver.atEvent(progress);
