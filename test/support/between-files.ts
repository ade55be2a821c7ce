import nock from 'nock';

/**
 * The tests of *pure*, *reference* and *prove* share a process, file after file: what they import is read once. What one file
 * does to the network is undone before the next, which may send bytes of its own; a test that plays a server on nock takes the
 * network again.
 */
nock.restore();
