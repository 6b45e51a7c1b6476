// The bundle's entry for anthropic-node; the bundler puts one version's package in the place of "sdk".
import Anthropic from 'sdk';
import * as errors from 'sdk/error';
import * as beta from 'sdk/resources/beta/index';
import { Stream } from 'sdk/streaming';
import { adapter } from './anthropic.mjs';
import * as driver from './driver.mjs';

const sdk = adapter({ Anthropic, errors, beta });
let progress = driver.newProgress();
driver.observe(Stream, () => progress);

// Begin starts the account of a new run and gives it.
export const begin = () => (progress = driver.newProgress());
export const run = (call) => driver.run(sdk, call, progress);
export const describe = (e) => driver.describe(e, sdk.classes);
export const atEvent = () => driver.atEvent(progress);
