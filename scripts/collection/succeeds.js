pm.test("succeeds", () => pm.expect(pm.response.code, pm.response.text()).to.be.oneOf([200, 201]));
